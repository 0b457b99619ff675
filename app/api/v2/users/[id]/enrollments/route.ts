import { serve } from '../../../../../../lib/server/next/serve'

export const dynamic = 'force-dynamic'
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/v2/users/:id/enrollments')
