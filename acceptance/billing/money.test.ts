import { describeOrders, testBooks } from './money-walks.ts'

describeOrders()
testBooks({ books: 3, last4: '4444' })
