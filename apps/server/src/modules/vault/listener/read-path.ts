import type { FileType } from '../vault-tables.ts'

/** The object of a request; undefined: a vault has no such object. */
export type Target =
  | { kind: 'repository'; repositoryId: string; create: boolean }
  | { kind: 'list'; repositoryId: string; type: FileType }
  | { kind: 'file'; repositoryId: string; type: FileType; name: string }

const pattern =
  /^\/(?<repository>vr_[a-z2-7]{20})\/(?:(?<config>config)|(?<type>keys|locks|snapshots|index|data)\/(?<name>[0-9a-f]{64})?)?$/

/** Parses an address of restic's REST protocol; undefined for anything that does not match exactly. */
export function readPath(url: string): Target | undefined {
  const [path = '', query] = url.split('?', 2)
  const groups = pattern.exec(path)?.groups
  const repositoryId = groups?.['repository']
  if (!groups || repositoryId === undefined) return undefined
  if (groups['config'] !== undefined) return { kind: 'file', repositoryId, type: 'config', name: 'config' }
  // The pattern lets through nothing else.
  const type = groups['type'] as FileType | undefined
  if (type === undefined)
    return { kind: 'repository', repositoryId, create: new URLSearchParams(query).get('create') === 'true' }
  const name = groups['name']
  return name === undefined ? { kind: 'list', repositoryId, type } : { kind: 'file', repositoryId, type, name }
}
