"""What every request is served with, whatever its API.

- `handler.py`: what a handler says of itself;
- `context.py`: what it sees of the request and of the node;
- `waiting.py`: answers that come later, and work in slices;
- `hosting.py`, `leader_hints.py`, `cluster_view.py`: looking things up for the answer;
- `config_requests.py`, `transactional.py`: what the APIs of configurations and of transactional
  producers have in common.
"""
