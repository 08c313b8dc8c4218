"""Entry point of `durian-assist` and `python -m durian_assist`."""


def main() -> None:
    """Run the command line."""
    from durian_assist.common.interrupt import Stopped, leave_at_once

    try:
        from durian_assist.common.collector import collect_rarely

        collect_rarely()
        from durian_assist.cli.main import main as run

        run()
    except (KeyboardInterrupt, Stopped):
        leave_at_once()


if __name__ == "__main__":
    main()
