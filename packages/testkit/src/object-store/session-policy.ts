/**
 * Session policies of AWS, as far as they limit a grant: Allow, Deny, actions, resources, and `StringLike s3:prefix`.
 */

interface Statement {
  Effect: 'Allow' | 'Deny'
  Action: string | string[]
  Resource: string | string[]
  Condition?: { StringLike?: Record<string, string | string[]> }
}
export interface SessionPolicy {
  Statement: Statement[]
}

export interface Access {
  /** `s3:GetObject` */
  action: string
  /** `arn:aws:s3:::bucket/key`, of a list the bucket's. */
  resource: string
  /** Of a list. */
  prefix?: string | undefined
}

/** Allowed is what a statement allows and none denies; a condition of another kind is an error, not a yes. */
export function isAllowed(policy: SessionPolicy, access: Access): boolean {
  const matching = policy.Statement.filter((statement) => isAbout(statement, access))
  return matching.some(({ Effect }) => Effect === 'Allow') && matching.every(({ Effect }) => Effect === 'Allow')
}

function isAbout({ Action, Resource, Condition = {} }: Statement, { action, resource, prefix }: Access): boolean {
  for (const [kind, keys] of Object.entries(Condition)) {
    if (kind !== 'StringLike') throw new Error(`This double knows no condition ${kind}`)
    for (const [key, patterns] of Object.entries(keys ?? {})) {
      if (key !== 's3:prefix') throw new Error(`This double knows no condition on ${key}`)
      if (prefix === undefined || ![patterns].flat().some((pattern) => isLike(prefix, pattern))) return false
    }
  }
  return (
    [Action].flat().some((pattern) => isLike(action, pattern)) &&
    [Resource].flat().some((pattern) => isLike(resource, pattern))
  )
}

/** `*` is any text, slashes too; `?` is one character. */
function isLike(text: string, pattern: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`, 's').test(text)
}
