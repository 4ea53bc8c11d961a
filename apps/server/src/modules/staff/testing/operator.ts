/** An operator with a wallet, whose acts are begun, signed and done as the console and the wallet do. */
import { decodeApproveCode } from '@atoll/contract/identity'
import { type ApprovalAct, approvalBegin, approvalRead } from '@atoll/contract/staff'
import type { Call, Envelope } from '@atoll/contract/wire'
import { createApiClient, createScriptedWallet, type ScriptedWallet } from '@atoll/testkit'
import type { Person, TestApp } from '../../../authorization/testing/test-app.ts'
import { changeStaff, findAccountOfDid } from '../../accounts/index.ts'

export interface Operator extends Person {
  wallet: ScriptedWallet
  /** Does an act, approved. */
  act(act: ApprovalAct, call: Call, fields: object): Promise<Envelope<unknown>>
}

/** The envelope of a call, whatever its code. */
type Answer = Promise<Envelope<unknown>>

export async function createOperator(app: TestApp): Promise<Operator> {
  const wallet = createScriptedWallet()
  await wallet.register(app.origin)
  const { userid: did, token } = await wallet.signIn(app.origin)
  const userid = (await findAccountOfDid(app.database.db, did)) ?? ''
  const change = { userid, role: 'operator', source: { actor: 'system', ip: null }, now: new Date() } as const
  await app.database.db.transaction().execute((trx) => changeStaff(trx, change))
  const api = createApiClient(app.origin, { userid: did, token })
  return {
    userid,
    did,
    api,
    wallet,
    async act(act, call, fields): Answer {
      const begun = await api.send(approvalBegin, { act, parameters: JSON.stringify(fields) })
      if (!begun.data) return begun
      const { code } = approvalBegin.data.parse(begun.data)
      const { message } = decodeApproveCode(code) ?? { message: { nonce: '' } }
      const { statement } = await createApiClient(app.origin).ask(approvalRead, { nonce: message.nonce })
      const approval = wallet.sign({ ...statement, iss: wallet.kid })
      const answer: Envelope<unknown> = await api.send(call, { ...fields, approval } as never)
      return answer
    },
  }
}
