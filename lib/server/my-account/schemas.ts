// What the API reference says of a method.
import * as z from 'zod'
import { TYPES } from './kinds/index'

export const methodSchema = () =>
  z.looseObject({
    id: z.string(),
    type: z.enum(TYPES as [string, ...string[]]),
    usage: z.array(z.enum(['primary', 'secondary'])),
    created_at: z.iso.datetime(),
    confirmed: z.boolean().optional().meta({ description: 'Of a second factor' }),
    name: z.string().optional(),
    phone_number: z.string().optional(),
    preferred_authentication_method: z.enum(['sms', 'voice']).optional(),
    email: z.string().optional(),
    identity_user_id: z.string().optional().meta({ description: 'The account of a password or passkey' }),
  })
