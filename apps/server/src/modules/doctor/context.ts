import type { OfferedAgent } from '../agents/index.ts'
import type { LxdSettings } from '../catalog/index.ts'
import type { LxdFigures } from '../compute/index.ts'

/** The checks' access to the world outside this process. `open-context.ts` is the real one; tests provide others. */
export interface CheckContext {
  now(): Date
  /** The path that an edge answers on every host. */
  edgeMarkPath: string
  /** Throws where nobody answers; redirects are followed. */
  get(url: string): Promise<{ status: number; body: string }>
  /** Of a host, through this machine's resolver; empty: it has none. */
  addressesOf(host: string): Promise<string[]>
  /** TXT records, through this machine's resolver; empty: there are none. */
  textsOf(name: string): Promise<string[]>
  /** Throws with the reason for one that no browser would accept. */
  certificateEndOf(host: string, port: number): Promise<Date>
  /** Undefined: it is not there, or not to be looked at. */
  spaceOf(path: string): Promise<{ total: number; free: number } | undefined>
  statusOf(path: string): Promise<{ mode: number; uid: number; device: number } | undefined>
  /** The time of somebody else; undefined: nobody is reached. */
  outsideTime(url: string): Promise<Date | undefined>
  /** Whether a name server answers anything. */
  asksNameServer(server: { address: string; port: number }): Promise<{ udp: boolean; tcp: boolean }>
  /** Signs in at the mail server and sends nothing; throws with its answer. */
  tryMail(): Promise<void>
  /** Opens the repository of own backups; throws with the reason. */
  tryBackupStore(): Promise<void>
  /** When the dumps were begun that killed backups left half in that repository. */
  listHalfDumps(): Promise<Date[]>
  /** Throws where it does not answer. */
  lookAtLxd(settings: LxdSettings): Promise<LxdFigures>
  /** Throws with what is missing of the image that is given to LXD. */
  tryImage(): Promise<void>
  /** The agent of this release; undefined: there is none. */
  offeredAgent(): Promise<OfferedAgent | undefined>
  /** Throws unless the key is the one that the database was sealed with. */
  tryKey(): Promise<void>
  /** The problem with how the database is reached, in words; undefined: each connection is a session of its own. */
  findPooler(): Promise<string | undefined>
  /** Throws at the first record of the chain that is not what was written; gives how many there are. */
  verifyAudit(): Promise<number>
  verifyLedger(): Promise<number>
}
