import { testForgottenPassword, testWorkers } from './cluster-page-in-locale.ts'

testWorkers('zh-CN')
testForgottenPassword('en-US')
