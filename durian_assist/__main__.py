"""Entry point of `durian-assist` and `python -m durian_assist`."""

from durian_assist.cli.main import main

if __name__ == "__main__":
    main()
