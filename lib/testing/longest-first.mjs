// The order of test files: the slow ones first, in the given order. A slow file that starts last keeps one worker busy while the
// others have nothing to do. A clean checkout has no durations from an earlier run, so the slow files are listed.
import { BaseSequencer } from 'vitest/node'

/** @param {readonly string[]} slow */
export const longestFirst = (slow) =>
  class extends BaseSequencer {
    /** @param {import('vitest/node').TestSpecification[]} files */
    async sort(files) {
      const rankOf = ({ moduleId }) => {
        const rank = slow.findIndex((name) => moduleId.endsWith(`/${name}`))
        return rank === -1 ? slow.length : rank
      }
      return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
    }
  }
