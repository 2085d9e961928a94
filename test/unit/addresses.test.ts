import { describe, expect, it, test } from "vitest";
import { faultOfAddress, isSameService, networkOf } from "../../src/shared/network/addresses.ts";

const fault = (address: string, allowPrivate = false) => faultOfAddress(address, { allowPrivate });

describe("Provider addresses", () => {
  it.each([
    "https://graph.facebook.com",
    "https://waha.example.com:3000/base/",
    "https://xn--bcher-kva.ch",
    "https://internal.acme.com",
  ])("A provider's address can be the public address %s", (address) => {
    expect(fault(address)).toBeNull();
  });

  it.each([
    "http://graph.facebook.com",
    "ftp://graph.facebook.com",
    "graph.facebook.com",
    "https://user:secret@graph.facebook.com",
    "https://user@graph.facebook.com",
    "https://graph.facebook.com?x=1",
    "https://graph.facebook.com#x",
    "https://graph.facebook.com:22",
    "https://127.0.0.1",
    "https://127.1",
    "https://2130706433",
    "https://0x7f000001",
    "https://0177.0.0.1",
    "https://0x7f.1",
    "https://1.2.3.4@10.0.0.1",
    "https://10.0.0.1",
    "https://172.16.0.1",
    "https://172.31.255.255",
    "https://192.168.1.1",
    "https://169.254.169.254",
    "https://100.64.0.1",
    "https://0.0.0.0",
    "https://0",
    "https://255.255.255.255",
    "https://224.0.0.1",
    "https://①②⑦.0.0.1",
    "https://[::1]",
    "https://[::]",
    "https://[::ffff:127.0.0.1]",
    "https://[::ffff:7f00:1]",
    "https://[::127.0.0.1]",
    "https://[64:ff9b::7f00:1]",
    "https://[fe80::1]",
    "https://[fc00::1]",
    "https://[fd12:3456::1]",
    "https://[2002:7f00:1::]",
    "https://[2001::1]",
    "https://[2001:db8::1]",
    "https://[ff02::1]",
    "https://localhost",
    "https://LOCALHOST.",
    "https://api.localhost",
    "https://waha",
    "https://waha.",
    "https://waha.local",
    "https://waha.internal",
    "https://metadata.google.internal.",
    "https://router.home.arpa",
    "https://127.0.0.1.nip.io",
    "https://10-0-0-1.sslip.io",
    "https://localtest.me",
    "https://acme.test",
  ])("A provider's address cannot be %s", (address) => {
    expect(fault(address)).toEqual(expect.any(String));
  });

  it.each(["https://8.8.8.8", "https://172.32.0.1:3000", "https://134744072", "https://[2606:4700::1111]:8443"])(
    "A provider's address cannot be the IP address %s, because Workers cannot call it",
    (address) => {
      expect(fault(address)).toBe("Must have a host name. Cloudflare Workers cannot call IP addresses.");
      expect(fault(address, true)).toBeNull();
    },
  );

  it("A provider's address can be private only with allowPrivate, and cannot contain a password", () => {
    for (const address of ["http://127.0.0.1:3000", "http://localhost", "https://waha.internal/x"]) {
      expect(fault(address, true)).toBeNull();
    }
    expect(fault("http://user:secret@127.0.0.1", true)).toEqual(expect.any(String));
    expect(fault("file:///etc/passwd", true)).toEqual(expect.any(String));
  });
});

describe("Client networks", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["::FFFF:cb00:7109", "203.0.113.9"],
    ["0:0:0:0:0:ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["local", "local"],
    ["not an address", "not an address"],
    ["1::2::3", "1::2::3"],
  ])("A client with the address %s is in the network %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

test("This service recognizes its own address in every spelling, and recognizes no other address", () => {
  const hosts = ["localhost", "localhost.", "LOCALHOST", "a.localhost", "127.0.0.1", "127.1", "2130706433", "0.0.0.0"];
  for (const host of [...hosts, "[::1]", "[0:0::1]", "[::]", "[::ffff:127.0.0.1]"]) {
    expect([host, isSameService(`http://${host}:8801/`, "http://localhost:8801")]).toEqual([host, true]);
    expect(isSameService(`http://${host}:8802/`, "http://localhost:8801")).toBe(false);
    expect(isSameService(`http://${host}:8801/`, "http://tidings.example.com:8801")).toBe(false);
  }
  for (const url of ["https://api.example.com.", "https://API.example.com:443/hook", "https://u:p@api.example.com"])
    expect(isSameService(url, "https://api.example.com")).toBe(true);
  for (const url of ["https://example.com", "https://api.example.com.evil.org", "https://127.0.0.1.example.com"])
    expect(isSameService(url, "https://api.example.com")).toBe(false);
});
