"""Entry point of `durian-assist` and `python -m durian_assist`."""

from durian_assist.common.collector import collect_rarely


def main() -> None:
    """Run the command line."""
    collect_rarely()
    from durian_assist.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
