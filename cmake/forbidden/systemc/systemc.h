// SPDX-License-Identifier: Apache-2.0
#error "this layer must not include SystemC (docs/decisions/0001-layers.md)"
