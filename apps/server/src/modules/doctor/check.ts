/** The shape of a check, of its input, and of its findings. */
import type { Pool } from 'pg'
import type { Db } from '../../platform/db/index.ts'
import type { Catalog } from '../catalog/index.ts'
import type { CheckContext } from './context.ts'
import type { DoctorConfig } from './doctor-config.ts'

export type CheckGroup = 'Configuration' | 'Database' | 'Money' | 'Clusters' | 'Names and mail' | 'Backups'

/** `passed` may have a note; `skipped` says why there was nothing to look at, or why it could not be seen. */
export interface Finding {
  state: 'passed' | 'failed' | 'warning' | 'skipped'
  /** Skipped though there is something to look at: it says nothing about how that is. */
  isUnseen?: true
  found?: string
  /** The remedy, in words. */
  mend?: string
  /** To be typed as they are. */
  commands?: readonly string[]
}

export interface Patient {
  config: DoctorConfig
  context: CheckContext
  /** Throws what the catalogue cannot be read for, a mistake a line. */
  readCatalog(): Promise<Catalog>
  db: Db
  pool: Pool
}

export interface Check {
  /** For good: pages and alerts know it by this. */
  name: string
  group: CheckGroup
  /** The condition that holds when it passes. */
  title: string
  /** It is not looked at while the database does not answer. */
  needsDatabase?: true
  look(patient: Patient): Promise<Finding>
}

export const passed = (found?: string): Finding => ({ state: 'passed', ...(found !== undefined && { found }) })
export const skipped = (found: string): Finding => ({ state: 'skipped', found })
export const unseen = (found: string): Finding => ({ ...skipped(found), isUnseen: true })
export const failed = (found: string, mend: string, ...commands: string[]): Finding => ({
  state: 'failed',
  found,
  mend,
  ...(commands.length > 0 && { commands }),
})
export const warned = (found: string, mend: string, ...commands: string[]): Finding => ({
  ...failed(found, mend, ...commands),
  state: 'warning',
})

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Bytes as a person reads them. */
export function sizeText(bytes: number): string {
  const gigabytes = bytes / 1e9
  return gigabytes >= 1 ? `${gigabytes.toFixed(gigabytes >= 100 ? 0 : 1)} GB` : `${Math.round(bytes / 1e6)} MB`
}
