/**
 * Which boots of one instance's agent may serve. A copied disk has the token of the first, so it shows by this alone:
 * a boot that another one replaced dials again, though it was over. Restarts never do that. Pure.
 *   serving   the boot whose dials are taken
 *   past      boots that newer ones replaced
 *   refused   boots of copies, until the owner chooses one of them (`chooseBoot`)
 * A change is stored only after the boot has proved that it is alive (`channel/meet-dial.ts`): a dial that was read
 * late may come from a process that has ended since.
 */
import type { AgentBoot } from '@atoll/contract/agents'
import { z } from 'zod'

const Boot = z.object({
  id: z.string(),
  hostName: z.string(),
  /** When it was noted; of a refused one, about when it was refused last. ms */
  at: z.number(),
})
export type Boot = z.infer<typeof Boot>

export const Boots = z.object({
  /** Counts what was noted: what was decided from an older one is decided again. */
  version: z.int(),
  serving: Boot.nullable(),
  /** The newest last. */
  past: z.array(z.string()),
  /** The newest last. */
  refused: z.array(Boot),
  /** The owner has said which goes on since the last copy was noticed. */
  isAnswered: z.boolean(),
})
export type Boots = z.infer<typeof Boots>

export const noBoots: Boots = { version: 0, serving: null, past: [], refused: [], isAnswered: true }

/** As they are stored; null: none was noted. */
export function readBoots(stored: unknown): Boots {
  return stored == null ? noBoots : Boots.parse(stored)
}

/** A disk that is copied is started within far fewer boots. */
const mostPast = 100
const mostRefused = 8
/** One that is refused is noted again after this, so that what is gone can be told from what still dials. ms */
const noteEveryMs = 3600_000
/** A refused boot that nobody heard of for so long is forgotten, ms. */
const refusedForMs = 30 * 24 * 3600_000

/** The standing of a boot when it dials; `unproven`: it has to prove that it is alive. */
export function standingOf(
  { serving, refused }: Boots,
  { id, previous }: AgentBoot,
): 'serves' | 'refused' | 'unproven' {
  if (serving?.id === id) return 'serves'
  // A restart of a refused copy is refused too.
  return refused.some((boot) => boot.id === id || boot.id === previous) ? 'refused' : 'unproven'
}

/** The boot dialled and lives: what is known from now on. The same object where nothing changed. */
export function noteBoot(boots: Boots, dial: AgentBoot, at: number): Boots {
  const { serving, past } = boots
  const boot: Boot = { id: dial.id, hostName: dial.hostName, at }
  const standing = standingOf(boots, dial)
  if (standing === 'serves') return boots
  const refused = boots.refused.filter((known) => at - known.at < refusedForMs)
  if (standing === 'refused') {
    const known = refused.find(({ id }) => id === boot.id)
    if (known && at - known.at < noteEveryMs) return boots
    const others = refused.filter(({ id }) => id !== boot.id && id !== dial.previous)
    return change(boots, { refused: [...others, boot] })
  }
  // It was over, and is not: two disks. The one that served first goes on.
  if (past.includes(boot.id) && serving)
    return change(boots, {
      serving: boot,
      past: past.filter((id) => id !== boot.id),
      refused: [...refused, { ...serving, at }],
      isAnswered: false,
    })
  return change(boots, { serving: boot, past: serving ? [...past, serving.id] : past, refused })
}

/** The owner says that the boot `id` goes on; undefined where it is neither serving nor refused. */
export function chooseBoot(boots: Boots, id: string, at: number): Boots | undefined {
  const { serving, refused } = boots
  if (serving?.id === id) return change(boots, { isAnswered: true })
  const chosen = refused.find((boot) => boot.id === id)
  if (!chosen) return undefined
  const others = refused.filter((boot) => boot !== chosen)
  return change(boots, {
    serving: chosen,
    refused: serving ? [...others, { ...serving, at }] : others,
    isAnswered: true,
  })
}

function change(boots: Boots, to: Partial<Boots>): Boots {
  const next = { ...boots, ...to, version: boots.version + 1 }
  return { ...next, past: next.past.slice(-mostPast), refused: next.refused.slice(-mostRefused) }
}
