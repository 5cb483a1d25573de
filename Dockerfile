# One image for brokers and command-line tools, in a virtual environment of its own: Debian's Python
# does as a base as well as python:*-slim. What changes seldom comes first: after a change of the
# source only the wheel is built and installed anew. docs/containers.md says how to use it.
ARG BASE=python:3.12-slim

FROM ${BASE} AS dependencies
WORKDIR /source
COPY pyproject.toml constraints.txt ./
RUN python3 -c 'import tomllib; \
print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' \
        > requirements.txt \
    && python3 -m venv /opt/barnabas \
    && /opt/barnabas/bin/pip install --no-cache-dir -c constraints.txt -r requirements.txt

FROM ${BASE} AS build
RUN apt-get update \
    && headers=$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))') \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
        $([ -f "$headers/Python.h" ] || echo python3-dev) \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
# An environment of its own, with the pinned versions: what the base brings may be too old.
COPY constraints.txt ./
RUN python3 -m venv /opt/build \
    && /opt/build/bin/pip install --no-cache-dir -c constraints.txt build mypy librt setuptools
COPY setup.py pyproject.toml README.md LICENSE ./
COPY src src
COPY protocol protocol
COPY broker broker
COPY client client
COPY spark spark
COPY testing testing
COPY cli cli
# 0: nothing of it is compiled to C.
ARG COMPILE=1
RUN BARNABAS_COMPILE=${COMPILE} /opt/build/bin/python -m build --wheel --no-isolation --outdir /wheels .

FROM ${BASE}
# /cluster: what all nodes of a cluster share; /authority: who signs their certificates;
# /run/barnabas: whether this one is ready.
RUN useradd --system --uid 1000 --create-home barnabas \
    && mkdir /data /cluster /authority /run/barnabas \
    && chown barnabas /data /cluster /authority /run/barnabas \
    && printf '%s\n' \
        '# What `barnabas serve` takes in a container; variables of the environment win over it.' \
        'log.dirs = "/data"' \
        'listeners = "PLAINTEXT://0.0.0.0:9092"' \
        'advertised.listeners = "PLAINTEXT://localhost:9092"' \
        'ready.file = "/run/barnabas/ready"' > /etc/barnabas.toml
COPY --from=dependencies /opt/barnabas /opt/barnabas
COPY --from=build /wheels /wheels
RUN /opt/barnabas/bin/pip install --no-cache-dir --no-index --no-deps /wheels/*.whl \
    && rm -rf /wheels
ENV PATH=/opt/barnabas/bin:$PATH
USER barnabas
WORKDIR /data
VOLUME /data
EXPOSE 9092
# The node touches the file each second while it is ready: no client, no Python is started to ask.
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s \
    CMD find /run/barnabas/ready -newermt '-10 seconds' 2>/dev/null | grep -q .
ENTRYPOINT ["barnabas"]
CMD ["serve", "--config", "/etc/barnabas.toml"]
