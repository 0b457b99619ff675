import { Missing } from './_parts/states'

export default Missing
