# SPDX-License-Identifier: Apache-2.0
#
# docker build -t nvmearb . && docker run --rm nvmearb run wrr_v3_randread
# The project's own targets do the work; docker run --rm --entrypoint make nvmearb test runs the tests.
FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git make
WORKDIR /src
COPY . .
RUN make build
ENTRYPOINT ["/src/build/bin/nvmearb"]
CMD ["--help"]
