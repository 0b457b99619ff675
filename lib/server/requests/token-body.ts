// The body of the requests about one token: its state, its revocation.
import * as z from 'zod'
import { IGNORED, text } from '../../http/description'
import { credentials } from './schemas'

export const tokenBody = () =>
  z.object({
    ...credentials(),
    token: text('The token'),
    token_type_hint: z.string().optional().meta({ description: IGNORED }),
  })
