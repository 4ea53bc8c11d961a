import { existsSync, readFileSync } from 'node:fs'

/** An entry of the passwd file. */
export interface SystemUser {
  name: string
  uid: number
  gid: number
}

/** The user of this machine with that name; undefined where there is none, or no passwd file. */
export function findSystemUser(name: string): SystemUser | undefined {
  if (!existsSync('/etc/passwd')) return undefined
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([entry = '', , uid, gid]) => ({ name: entry, uid: Number(uid), gid: Number(gid) }))
    .find((user) => user.name === name)
}
