// SPDX-License-Identifier: Apache-2.0
#include "ssd/identify_data.h"

#include <cstring>

#include "nvme/io_commands.h"

namespace nvmearb::ssd {

using nvme::Status;

namespace {

std::array<std::uint8_t, 16> LittleEndian128(std::uint64_t value) {
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// An EUI-64 from the OUI (high 24 bits) and a hash of the serial number.
std::array<std::uint8_t, 8> Eui64(const IdentityParams& identity) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : identity.serial) {
    hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001b3u;
  }
  const std::uint64_t eui = (std::uint64_t{identity.ieee_oui} << 40) | (hash & 0xffffffffffu);
  std::array<std::uint8_t, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(eui >> (56 - 8 * i));  // big endian
  }
  return bytes;
}

nvme::IdentifyController Controller(const SsdParams& params) {
  const IdentityParams& id = params.identity;
  nvme::IdentifyController c{};
  c.vid = c.ssvid = id.pci_vendor;
  nvme::SetAscii(c.sn, id.serial);
  nvme::SetAscii(c.mn, id.model);
  nvme::SetAscii(c.fr, id.firmware);
  c.rab = id.rab;
  c.ieee = {static_cast<std::uint8_t>(id.ieee_oui), static_cast<std::uint8_t>(id.ieee_oui >> 8),
            static_cast<std::uint8_t>(id.ieee_oui >> 16)};
  c.mdts = id.mdts;
  c.ver = id.vs;
  c.acl = params.firmware.acl_zb;
  c.aerl = params.firmware.aerl_zb;
  c.elpe = params.firmware.elpe_zb;
  c.lpa = 1u << 2;  // Get Log Page takes offsets
  c.tnvmcap = LittleEndian128(id.capacity_bytes);
  c.sqes = 0x66;
  c.cqes = 0x44;
  c.nn = kOnlyNsid;
  c.oncs = nvme::kOncsDatasetManagement;
  c.vwc = id.volatile_write_cache ? 1 : 0;
  return c;
}

nvme::IdentifyNamespace Namespace(const SsdParams& params) {
  nvme::IdentifyNamespace n{};
  n.nsze = n.ncap = n.nuse = params.BlockCount();
  n.noiob = static_cast<std::uint16_t>(params.MaxTransferBytes() >> params.identity.lba_shift);
  n.nvmcap = LittleEndian128(params.identity.capacity_bytes);
  n.eui64 = Eui64(params.identity);
  n.lbaf[0].lbads = params.identity.lba_shift;
  return n;
}

void NamespaceDescriptors(const SsdParams& params, IdentifyPage* page) {
  const std::array<std::uint8_t, 8> eui = Eui64(params.identity);
  const nvme::NamespaceDescriptor header{nvme::NamespaceDescriptor::kTypeEui64,
                                         static_cast<std::uint8_t>(eui.size()), 0};
  std::memcpy(page->data(), &header, sizeof header);
  std::memcpy(page->data() + sizeof header, eui.data(), eui.size());
}

}  // namespace

Status BuildIdentify(const SsdParams& params, const nvme::Identify& command, IdentifyPage* page) {
  page->fill(0);
  switch (static_cast<nvme::Cns>(command.cns)) {
    case nvme::Cns::kNamespace: {
      if (command.nsid != kOnlyNsid) return Status::kInvalidNamespace;
      const nvme::IdentifyNamespace n = Namespace(params);
      std::memcpy(page->data(), &n, sizeof n);
      return Status::kSuccess;
    }
    case nvme::Cns::kController: {
      const nvme::IdentifyController c = Controller(params);
      std::memcpy(page->data(), &c, sizeof c);
      return Status::kSuccess;
    }
    case nvme::Cns::kActiveNamespaces:
      // Namespaces above the one given, in ascending order, ended by 0.
      if (command.nsid >= nvme::kBroadcastNsid - 1) return Status::kInvalidNamespace;
      if (command.nsid < kOnlyNsid) std::memcpy(page->data(), &kOnlyNsid, sizeof kOnlyNsid);
      return Status::kSuccess;
    case nvme::Cns::kNamespaceDescriptors:
      if (command.nsid != kOnlyNsid) return Status::kInvalidNamespace;
      NamespaceDescriptors(params, page);
      return Status::kSuccess;
  }
  return Status::kInvalidField;
}

}  // namespace nvmearb::ssd
