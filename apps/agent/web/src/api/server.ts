/** The calls of the personal server, one function each. Paths of the drive are absolute: `/Photos/reef.jpg`. */
import {
  ActivationBegun,
  ActivationState,
  AppPasswordMade,
  AppPasswords,
  DriveEntry,
  DriveListing,
  type DriveOrder,
  DriveSearch,
  Observed,
  SessionState,
  Sessions,
  Status,
} from '@atoll/contract/personal-server'
import { countRows } from '@atoll/contract/wire'
import { call, callForText, tell } from './call.ts'

const at = (route: string, path: string) => `${route}?path=${encodeURIComponent(path)}`

export const getStatus = () => call(Status, 'GET', '/api/status')
export const getObserved = () => call(Observed, 'GET', '/api/observe')

export const beginActivation = (password: string) =>
  call(ActivationBegun, 'POST', '/api/activation/begin', { body: { password } })
/** Answers when approved, or after at most 20 s. */
export const awaitApproval = (ticket: string, signal: AbortSignal) =>
  call(ActivationState, 'GET', `/api/activation/state?ticket=${encodeURIComponent(ticket)}&wait=1`, { signal })
export const finishActivation = (ticket: string, newPassword: string) =>
  call(SessionState, 'POST', '/api/activation/finish', { body: { ticket, newPassword } })

export const getSession = () => call(SessionState, 'GET', '/api/session')
export const signIn = (name: string, password: string) =>
  call(SessionState, 'POST', '/api/session', { body: { name, password } })
export const signOut = () => tell('DELETE', '/api/session')

export const listSessions = () => call(Sessions, 'GET', '/api/sessions')
export const endSession = (id: string) => tell('DELETE', `/api/sessions?id=${encodeURIComponent(id)}`)
export const endOtherSessions = () => tell('DELETE', '/api/sessions')

export const listAppPasswords = () => call(AppPasswords, 'GET', '/api/app-passwords')
export const makeAppPassword = (name: string, ownPassword: string) =>
  call(AppPasswordMade, 'POST', '/api/app-passwords', { body: { name, ownPassword } })
export const revokeAppPassword = (id: string) => tell('DELETE', `/api/app-passwords?id=${encodeURIComponent(id)}`)

export const listFolder = (path: string, { offset, by, descending }: DriveOrder & { offset: number }) =>
  call(DriveListing, 'GET', `${at('/api/drive/list', path)}&offset=${offset}&by=${by}&descending=${descending ? 1 : 0}`)
/** Names of all folders in `path`, by name. */
export async function listFolderNames(path: string): Promise<string[]> {
  const names: string[] = []
  let offset = 0
  let listing: DriveListing
  do {
    listing = await listFolder(path, { offset, by: 'name', descending: false })
    names.push(...listing.entries.filter(({ kind }) => kind === 'folder').map(({ name }) => name))
    offset = listing.offset + (countRows(listing.entries) ?? 0)
    // Folders stand first: the last of a page is one where more may follow.
  } while (listing.entries.at(-1)?.kind === 'folder' && offset < listing.total)
  return names
}
export const searchFolder = (path: string, query: string, offset: number, signal: AbortSignal) =>
  call(DriveSearch, 'GET', `${at('/api/drive/search', path)}&query=${encodeURIComponent(query)}&offset=${offset}`, {
    signal,
  })
export const createFolder = (path: string) => call(DriveEntry, 'POST', '/api/drive/folder', { body: { path } })
export const moveEntry = (from: string, to: string) =>
  call(DriveEntry, 'POST', '/api/drive/move', { body: { from, to } })
export const deleteEntry = (path: string) => tell('DELETE', at('/api/drive/entry', path))
/** Where a file is downloaded from and uploaded to. */
export const fileAddress = (path: string) => at('/api/drive/file', path)
/** Where the browser shows a file itself: pictures and PDF. */
export const inlineAddress = (path: string) => `${fileAddress(path)}&inline=1`
/** The first `bytes` of a file as text. */
export const readText = (path: string, bytes: number, signal: AbortSignal) =>
  callForText(fileAddress(path), bytes, signal)
