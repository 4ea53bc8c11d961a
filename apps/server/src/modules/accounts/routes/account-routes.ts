import {
  avatarRemove,
  avatarSet,
  emailCodeCancel,
  emailRemove,
  emailShow,
  sendSetEmailCode,
  userHoldAnswer,
  userHolds,
  userInfo,
  userMails,
  userMailsChange,
  userSupportAnswer,
  userSupportAsk,
  userTimeZone,
  verifyBindEmail,
} from '@atoll/contract/accounts'
import { implement, type Route } from '../../../http/route.ts'
import { changeMailChoice, changeTimeZone, getUser, listMailChoices, type UserDeps } from '../account-service.ts'
import { type AvatarDeps, removeAvatar, setAvatar } from '../avatar/avatar-service.ts'
import {
  cancelEmailCode,
  describeEmail,
  type EmailDeps,
  removeEmail,
  sendEmailCode,
  verifyEmailCode,
} from '../email/email-service.ts'
import { answerHold, answerSupport, describeHolds } from '../hold-service.ts'
import { findAsked } from '../stores/consent-store.ts'

/** Calls about the caller's account, its email and its picture. */
export function accountRoutes(deps: UserDeps & EmailDeps & AvatarDeps): Route[] {
  return [
    implement(userInfo, (_, { account }) => getUser(deps, deps.db, account.userid)),
    implement(userTimeZone, async ({ timeZone }, { account }) => {
      await changeTimeZone(deps.db, account.userid, timeZone)
      return {}
    }),
    implement(userMails, (_, { account }) => listMailChoices(deps.db, account.userid)),
    implement(userMailsChange, async ({ mail, isOn }, { account }) => {
      await changeMailChoice(deps.db, { userid: account.userid, mail, isOn })
      return {}
    }),
    implement(userHolds, (_, { account }) => describeHolds(deps.db, account.userid)),
    implement(userHoldAnswer, async (body, { account }) => {
      await answerHold(deps, account, body)
      return {}
    }),
    implement(userSupportAsk, async (_, { account }) => {
      return { reason: (await findAsked(deps.db, account.userid))?.reason ?? null }
    }),
    implement(userSupportAnswer, async (answer, { account }) => {
      await answerSupport(deps, account, answer)
      return {}
    }),
    implement(emailShow, (_, { account }) => describeEmail(deps, account.userid)),
    implement(sendSetEmailCode, ({ email }, { account, locale }) => sendEmailCode(deps, account, { email, locale })),
    implement(verifyBindEmail, (body, { account, locale }) => verifyEmailCode(deps, account, { ...body, locale })),
    implement(emailCodeCancel, (_, { account }) => cancelEmailCode(deps, account.userid)),
    implement(emailRemove, (_, { account, locale }) => removeEmail(deps, account, locale)),
    implement(avatarSet, async ({ image }, { account }) => ({ avatar: await setAvatar(deps, account, image) })),
    implement(avatarRemove, async (_, { account }) => {
      await removeAvatar(deps, account)
      return {}
    }),
  ]
}
