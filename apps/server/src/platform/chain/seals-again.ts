/** Seals made again with a newer key, so that the old key can go: the seals themselves are only ever added to. */
import type { Generated } from 'kysely'
import { type Sealer, sha256Hex } from '../crypto.ts'
import type { Db } from '../db/index.ts'
import type { Mark } from './chain-walk.ts'
import { isSealOf, type SealedChain, sealOf } from './seals.ts'

interface SealsAgainTable {
  chain: string
  seq: number
  key_id: string
  mac: string
  at: Generated<Date>
}

declare module '../db/index.ts' {
  interface Tables {
    seals_again: SealsAgainTable
  }
}

interface Seal extends Mark {
  mac: string
}

interface ReadSeal<Row> {
  seal: Row
  /** The chain that it is a seal on; undefined: it was not made with this deployment's keys. */
  chain: SealedChain | undefined
  /** There is one with the key for new values. */
  isCurrent: boolean
}

const batch = 1000

/** Which of `chains` each seal is on, by the seal itself or one that was made again of it. */
export async function readSeals<Row extends Seal>(
  db: Db,
  sealer: Sealer,
  seals: readonly Row[],
  chainsOf: (seal: Row) => readonly SealedChain[],
): Promise<ReadSeal<Row>[]> {
  const read: ReadSeal<Row>[] = []
  for (let from = 0; from < seals.length; from += batch) {
    const some = seals.slice(from, from + batch).map((seal) => {
      const chains = chainsOf(seal)
      const own = chains.find((chain) => isSealOf(sealer, chain, seal, seal.mac))
      const isCurrent = own !== undefined && seal.mac === sealOf(sealer, own, seal)
      return { seal, chains, own, isCurrent }
    })
    const old = some.filter(({ isCurrent }) => !isCurrent)
    const again = old.length > 0 ? await listAgain(db, old) : []
    for (const { seal, chains, own, isCurrent } of some) {
      if (isCurrent) {
        read.push({ seal, chain: own, isCurrent })
        continue
      }
      const made = chains.flatMap((chain) =>
        again
          .filter(
            (one) => one.seq === seal.seq && one.chain === nameOf(chain) && isSealOf(sealer, chain, seal, one.mac),
          )
          .map((one) => ({ chain, isCurrent: one.mac === sealOf(sealer, chain, seal) })),
      )
      read.push({ seal, chain: own ?? made[0]?.chain, isCurrent: made.some((one) => one.isCurrent) })
    }
  }
  return read
}

/** Makes those again that have no seal with the key for new values. Only for a chain that was verified. */
export async function sealAgain<Row extends Seal>(
  db: Db,
  sealer: Sealer,
  seals: readonly ReadSeal<Row>[],
): Promise<void> {
  const rows = seals.flatMap(({ seal, chain, isCurrent }) =>
    chain === undefined || isCurrent
      ? []
      : [{ chain: nameOf(chain), seq: seal.seq, key_id: sealer.keyId, mac: sealOf(sealer, chain, seal) }],
  )
  for (let from = 0; from < rows.length; from += batch)
    await db
      .insertInto('seals_again')
      .values(rows.slice(from, from + batch))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

const nameOf = ({ use, of }: SealedChain) => sha256Hex(JSON.stringify([use, of ?? null]))

async function listAgain(db: Db, seals: readonly { seal: Seal; chains: readonly SealedChain[] }[]) {
  const names = new Set(seals.flatMap(({ chains }) => chains.map(nameOf)))
  const numbers = seals.map(({ seal }) => seal.seq)
  return await db
    .selectFrom('seals_again')
    .select(['chain', 'seq', 'mac'])
    .where('chain', 'in', [...names])
    .where('seq', 'in', numbers)
    .execute()
}
