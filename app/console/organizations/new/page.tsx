import type { Metadata } from 'next'
import { resourceNew } from '../../_parts/resource'
import { pages } from '../pages'

export const metadata: Metadata = { title: pages.newTitle }

export default resourceNew(pages)
