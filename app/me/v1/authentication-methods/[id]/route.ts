import { serve } from '../../../../../lib/server/next/serve'

export const dynamic = 'force-dynamic'
export const { GET, PATCH, DELETE, OPTIONS } = serve('/me/v1/authentication-methods/:id')
