/**
 * The permissions of a grant (design/backups): read, list and put under its prefix, and delete only locks of the
 * repositories there, which are at `prefix/restic/NAME`. The role's own policy limits it further.
 */
export function sessionPolicy({ bucket, prefix }: { bucket: string; prefix: string }) {
  const arn = `arn:aws:s3:::${bucket}`
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:GetObject', 's3:PutObject'], Resource: [`${arn}/${prefix}/*`] },
      { Effect: 'Allow', Action: ['s3:DeleteObject'], Resource: [`${arn}/${prefix}/restic/*/locks/*`] },
      {
        Effect: 'Allow',
        Action: ['s3:ListBucket'],
        Resource: [arn],
        Condition: { StringLike: { 's3:prefix': [`${prefix}/*`] } },
      },
    ],
  }
}
