"""One file an API: what it means.

A handler file has the name of its API in snake case, and holds

- `handle(request, context)`, plain or `async`: the answer, or a `Waiting` for it;
- optionally `refuse(request, code, message)`: the answer that carries an error which concerns the
  whole request;
- at its end `HANDLER`, a `Handler` (`serving/handler.py`): the request's class, the versions that
  are served, and these functions.

`server/served_apis.py` has all of them: those that brokers serve, and those that controllers serve.
"""
