"""Entry point of `durian-assist` and `python -m durian_assist`."""


def main() -> None:
    """Run the command line. Ctrl-C ends it without a traceback from its first import on."""
    try:
        _run()
    except KeyboardInterrupt:
        from durian_assist.common.interrupt import leave_at_once

        leave_at_once()


def _run() -> None:
    from durian_assist.common.interrupt import Stopped, leave_at_once

    try:
        from durian_assist.common.collector import collect_rarely

        collect_rarely()
        from durian_assist.cli.main import main as run

        run()
    except Stopped:
        leave_at_once()


if __name__ == "__main__":
    main()
