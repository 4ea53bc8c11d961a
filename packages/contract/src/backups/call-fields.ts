/** Fields that several calls about backups share. */
import { z } from 'zod'
import { PasswordBox } from '../agents/backup-tasks.ts'
import { RequestId } from '../wire/fields.ts'
import type { BackupsFieldReason } from './field-reasons.ts'

/** Refused by name, so that the sender of a password learns that it must not be sent. */
export const password = z.never('plainPassword' satisfies BackupsFieldReason).optional()
export const box = PasswordBox.optional()
export const requestId = RequestId.optional()
