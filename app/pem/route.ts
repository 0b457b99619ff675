import { serve } from '../../lib/server/next/serve'

export const dynamic = 'force-dynamic'
export const { GET, OPTIONS } = serve('/pem')
