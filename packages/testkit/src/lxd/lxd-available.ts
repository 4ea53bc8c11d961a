import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { platform } from 'node:os'

/** Debian's packages with the programs that `lxdPrograms` names. */
export const lxdPackages = [
  'lxd',
  'lxd-client',
  'iptables',
  'nftables',
  'dnsmasq-base',
  'squashfs-tools',
  'busybox-static',
  'iproute2',
  'openssl',
  'util-linux',
] as const

const lxdPrograms = [
  '/usr/bin/lxd',
  '/usr/bin/lxc',
  '/usr/sbin/nft',
  '/usr/sbin/iptables',
  '/usr/sbin/dnsmasq',
  '/usr/bin/mksquashfs',
  '/bin/busybox',
  '/sbin/ip',
  '/usr/bin/unshare',
  '/usr/bin/openssl',
]

/** The reason why a test LXD cannot run here, as the end of a sentence; undefined if it can. */
export function whyNoLxd(): string | undefined {
  if (platform() !== 'linux') return 'LXD needs Linux'
  if (process.getuid?.() !== 0) return 'LXD needs root'
  const missing = lxdPrograms.filter((path) => !existsSync(path))
  if (missing.length > 0) return `there is no ${missing.join(', ')}`
  try {
    // A container runtime that took these rights from root takes LXD's containers with them.
    execFileSync('unshare', ['--net', '--mount', '--pid', '--fork', 'true'], { stdio: 'ignore' })
  } catch {
    return 'this machine does not let root make namespaces'
  }
  return undefined
}
