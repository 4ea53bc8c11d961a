import { testBooks, testPastDue, testSpending } from './money-walks.ts'

testSpending()
testPastDue()
testBooks({ books: 3, last4: '4242' })
