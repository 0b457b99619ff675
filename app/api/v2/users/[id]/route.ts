import { serve } from '../../../../../lib/next/serve'

export const dynamic = 'force-dynamic'
export const { GET, PATCH, OPTIONS } = serve('/api/v2/users/:id')
