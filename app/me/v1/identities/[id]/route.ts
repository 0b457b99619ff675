import { serve } from '../../../../../lib/server/next/serve'

export const dynamic = 'force-dynamic'
export const { DELETE, OPTIONS } = serve('/me/v1/identities/:id')
