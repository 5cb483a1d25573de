# One image for brokers and command-line tools: a compiled wheel in a slim Python.
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN pip install --no-cache-dir build && pip install --no-cache-dir -c constraints.txt mypy librt setuptools \
    && BARNABAS_COMPILE=1 python -m build --wheel --no-isolation --outdir /wheels .

FROM python:3.12-slim
COPY --from=build /wheels /wheels
COPY constraints.txt /constraints.txt
RUN pip install --no-cache-dir -c /constraints.txt /wheels/*.whl && rm -rf /wheels \
    && useradd --system --uid 1000 --create-home barnabas \
    && mkdir /data && chown barnabas /data
USER barnabas
VOLUME /data
EXPOSE 9092
HEALTHCHECK --interval=5s --timeout=3s --start-period=2s \
    CMD ["barnabas", "topic", "list", "--bootstrap-server", "localhost:9092", "--json"]
ENTRYPOINT ["barnabas"]
CMD ["serve", "--dir", "/data", "--host", "0.0.0.0", "--port", "9092"]
