/**
 * Properties that programs give to files and folders over WebDAV (RFC 4918, 4). They belong to the entry, whatever
 * its path: a move keeps them, here and in the browser. They are no part of the files, and backups do not have them.
 */
import { z } from 'zod'
import { writeFileAtomic } from '../kernel/atomic-file.ts'
import { type Home, readJsonFile } from '../kernel/home.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { createTurns } from '../kernel/turns.ts'

/** Most entries with properties; beyond it those are dropped whose properties were changed longest ago. */
const mostEntries = 2000
const mostOfOne = 50
/** Most characters of the properties of one entry: 16 MB for all entries, in memory and on the disk. */
const longest = 8192

/** By the entry's identity (`drive-entry.ts`): names with their namespace, and XML. */
const PropertyFile = z.record(z.string(), z.record(z.string(), z.string()))

export interface PropertyName {
  namespace: string
  name: string
}
/** `xml` undefined: removed. */
export type PropertyChange = PropertyName & { xml: string | undefined }

export type DeadProperties = Awaited<ReturnType<typeof openDeadProperties>>

export async function openDeadProperties(home: Home) {
  const entries = new Map(Object.entries((await readJsonFile(home.davProperties, PropertyFile)) ?? {}))
  const inTurn = createTurns(1)

  async function put(identity: string, properties: Record<string, string>): Promise<void> {
    entries.delete(identity) // set again below, so the map's order is by last change
    if (Object.keys(properties).length > 0) entries.set(identity, properties)
    const oldest = entries.keys().next().value
    if (entries.size > mostEntries && oldest !== undefined) entries.delete(oldest)
    await inTurn(() => writeFileAtomic(home.davProperties, JSON.stringify(Object.fromEntries(entries))))
  }

  return {
    of: (identity: string): (PropertyName & { xml: string })[] =>
      Object.entries(entries.get(identity) ?? {}).map(([key, xml]) => ({ ...nameOfKey(key), xml })),

    /** All of `changes`, in their order, or none; 507 tooLarge. */
    async change(identity: string, changes: readonly PropertyChange[]): Promise<void> {
      const properties = new Map(Object.entries(entries.get(identity) ?? {}))
      for (const { xml, ...name } of changes) {
        if (xml === undefined) properties.delete(keyOf(name))
        else properties.set(keyOf(name), xml)
      }
      const length = [...properties].reduce((sum, [key, xml]) => sum + key.length + xml.length, 0)
      if (properties.size > mostOfOne || length > longest)
        throw new HttpProblem(507, 'tooLarge', 'There is no room for these properties.')
      await put(identity, Object.fromEntries(properties))
    },

    /** An entry that takes the place of another, or is a copy of it, has its properties. */
    async carry(from: string, to: string): Promise<void> {
      const properties = entries.get(from)
      if (properties && from !== to) await put(to, properties)
    },
  }
}

/** A space is in no namespace and no name. */
function keyOf({ namespace, name }: PropertyName): string {
  return `${name} ${namespace}`
}

function nameOfKey(key: string): PropertyName {
  const at = key.indexOf(' ')
  return { name: key.slice(0, at), namespace: key.slice(at + 1) }
}
