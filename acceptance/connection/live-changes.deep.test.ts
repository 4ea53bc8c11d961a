import {
  testCutConnection,
  testKilledServer,
  testLostAnswer,
  testReload,
  testServerAway,
  testTakenBack,
} from './live-changes-cases.ts'

testCutConnection()
testLostAnswer()
testKilledServer()
testReload()
testServerAway()
testTakenBack()
