/** One setting of the environment: its check, its default, and the line `--help` prints. Each part declares its own. */
import { z } from 'zod'

export interface Setting<T extends z.ZodType = z.ZodType> {
  schema: T
  /** As written in the environment; undefined: not set. */
  fallback: string | undefined
  /** Shown by `--help` when there is no plain default. */
  fallbackText?: string
  text: string
  /** May be given as a file too: `NAME_FILE`. */
  isSecret?: boolean
}
export type SettingTable = Readonly<Record<string, Setting>>
/** Each setting as its own check read it. */
export type ValuesOf<Table extends SettingTable> = { [Name in keyof Table]: z.output<Table[Name]['schema']> }

export function setting<T extends z.ZodType>(
  schema: T,
  fallback: string | undefined,
  text: string,
  fallbackText?: string,
): Setting<T> {
  return { schema, fallback, text, ...(fallbackText !== undefined && { fallbackText }) }
}

export function secret<T extends z.ZodType>(schema: T, text: string, fallbackText: string): Setting<T> {
  return { ...setting(schema, undefined, text, fallbackText), isSecret: true }
}

export const Port = z.coerce.number('must be a port, 1 to 65535').int().min(1).max(65535)
/** Without a trailing slash. */
export const HttpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
export const Hostname = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/, 'must be a host name in lower case')
export const Yes = z.enum(['true', 'false']).transform((word) => word === 'true')
/** Separated by commas. */
export const List = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)
/** A file or a folder. */
export const Path = z.string().min(1)
/** A whole number from `least` to `most`. */
export const Count = (least: number, most: number) => z.coerce.number().int().min(least).max(most)
