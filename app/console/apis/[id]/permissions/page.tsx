import type { Metadata } from 'next'
import { say } from '../../../../../lib/text/console'
import { resourceDetail } from '../../../_parts/resource'
import { pages } from '../../pages'

export const metadata: Metadata = { title: say('apis.tab.permissions') }

export default resourceDetail(pages, 'permissions')
