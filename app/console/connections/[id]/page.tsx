import type { Metadata } from 'next'
import { resourceDetail } from '../../_parts/resource'
import { pages } from '../pages'

export const metadata: Metadata = { title: pages.title }

export default resourceDetail(pages)
