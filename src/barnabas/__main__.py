"""`python -m barnabas`: the `barnabas` command where its script is not on the path."""

from barnabas.cli.main import main

if __name__ == "__main__":
    main()
