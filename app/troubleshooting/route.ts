import { serve } from '../../lib/next/serve'

export const dynamic = 'force-dynamic'
export const { GET, OPTIONS } = serve('/troubleshooting')
