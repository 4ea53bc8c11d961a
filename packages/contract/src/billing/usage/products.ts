import { z } from 'zod'
import { meteredProducts } from '../kinds.ts'

export const MeteredProduct = z.enum(meteredProducts)
export type MeteredProduct = z.infer<typeof MeteredProduct>
