import { expect, test } from 'vitest'
import { readAdminCommand } from './admin-command.ts'

test.each([
  [[], { name: 'help' }],
  [['--help'], { name: 'help' }],
  [['list'], { name: 'list' }],
  [['grant', 'reef@atoll.test'], { name: 'grant', who: 'reef@atoll.test' }],
  [['quota', 'reef@atoll.test', '8'], { name: 'quota', who: 'reef@atoll.test', vCpuQuota: 8 }],
  [['quota', 'reef@atoll.test', 'plan'], { name: 'quota', who: 'reef@atoll.test', vCpuQuota: null }],
  [['allow-create', 'reef@atoll.test', 'no'], { name: 'allow-create', who: 'reef@atoll.test', may: false }],
  [['refund', 'pay_1', '14.40'], { name: 'refund', paymentId: 'pay_1', amount: '14.40' }],
  [['adopt-capture', 'pi_1'], { name: 'adopt-capture', which: 'pi_1' }],
  [['adopt-capture', 'pi_1', 'a@b'], { name: 'adopt-capture', which: 'pi_1', who: 'a@b' }],
  [['disputes'], { name: 'disputes' }],
  [['dispute-evidence', 'dp_1'], { name: 'dispute-evidence', dispute: 'dp_1' }],
  [['decide-dispute', 'dp_1', 'won'], { name: 'decide-dispute', dispute: 'dp_1', verdict: 'won' }],
  [['credit', 'a@b', '-3', 'cash'], { name: 'credit', who: 'a@b', amount: '-3', kind: 'cash' }],
  [
    ['credit', 'a@b', '3', 'promo', '2027-01-31'],
    { name: 'credit', who: 'a@b', amount: '3', kind: 'promo', lastDay: '2027-01-31' },
  ],
  [['parked'], { name: 'parked' }],
  [['retire-statement-key'], { name: 'retire-statement-key' }],
  [['release-domain', 'a.example'], { name: 'release-domain', domain: 'a.example' }],
  [['undo-prune', 'bk_reef'], { name: 'undo-prune', backup: 'bk_reef' }],
  [['unpark', 'a@b'], { name: 'unpark', who: 'a@b' }],
  [['strays'], { name: 'strays' }],
  [['accept-folder'], { name: 'accept-folder' }],
  [['resume-sweep'], { name: 'resume-sweep' }],
  [['destroy-stray', 'all'], { name: 'destroy-stray', which: 'all' }],
])('reads %j', (args, command) => expect(readAdminCommand(args)).toEqual(command))

test.each([
  [['grant'], '"grant" takes 1 argument.'],
  [['grant', 'a@b', 'c@d'], '"grant" takes 1 argument.'],
  [['list', 'all'], '"list" takes 0 arguments.'],
  [['quota', 'a@b', '-1'], 'vCPU: "-1"'],
  [['quota', 'a@b', '1.5'], 'vCPU: "1.5"'],
  [['quota', 'a@b', '1000001'], 'vCPU: "1000001"'],
  [['allow-create', 'a@b', 'perhaps'], '"perhaps" is neither yes nor no'],
  [['credit', 'a@b', '3', 'gold'], '"gold" is neither cash nor promo'],
  [['credit', 'a@b', '3', 'cash', '2027-01-31'], '"credit" takes 3 arguments'],
  [['decide-dispute', 'dp_1', 'even'], '"even" is neither won nor lost'],
  [['refund', 'pay_1'], '"refund" takes 2 arguments'],
  [['resume-sweep', 'local'], '"resume-sweep" takes 0 arguments.'],
  [['delete', 'a@b'], 'There is no command "delete".'],
])('says what is wrong with %j', (args, problem) => expect(() => readAdminCommand(args)).toThrow(problem))
