"""APIs that only controllers serve, one file each, as in the folder above."""
