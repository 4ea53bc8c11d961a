/** Fields that most calls of staff share: who makes them, how often, and which pages they make old. */
export const readByStaff = { reach: 'staff', reads: true } as const
export const byStaff = { reach: 'staff', rate: 'change' } as const
export const byOperator = { reach: 'operator', rate: 'change' } as const
export const byOperatorOnCustomer = { ...byOperator, topics: ['account'] } as const
