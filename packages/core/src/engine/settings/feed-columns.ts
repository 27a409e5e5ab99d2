/** What a column of a product feed takes. Without values or a form, any text up to a length. */
interface ColumnRule {
  maxLength?: number;
  /** The values that it takes, in lower case if they are words. */
  values?: readonly string[];
  form?: RegExp;
  /** How a value of the form looks. */
  example?: string;
}

const yesOrNo = ['yes', 'no'];
const energyClasses = ['A+++', 'A++', 'A+', 'A', 'B', 'C', 'D', 'E', 'F', 'G'];

/** Columns of a product feed that attributes of products can fill, by Google's names, in the order of the file. */
export const attributeColumns = {
  brand: { maxLength: 70 },
  mpn: { maxLength: 70 },
  condition: { values: ['new', 'refurbished', 'used'] },
  color: { maxLength: 100 },
  size: { maxLength: 100 },
  material: { maxLength: 200 },
  pattern: { maxLength: 100 },
  gender: { values: ['male', 'female', 'unisex'] },
  age_group: { values: ['newborn', 'infant', 'toddler', 'kids', 'adult'] },
  size_type: { values: ['regular', 'petite', 'maternity', 'big', 'tall', 'plus'] },
  size_system: { values: ['AU', 'BR', 'CN', 'DE', 'EU', 'FR', 'IT', 'JP', 'MEX', 'UK', 'US'] },
  google_product_category: { maxLength: 750 },
  availability_date: {
    form: /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/,
    example: '2027-01-15',
  },
  adult: { values: yesOrNo },
  multipack: { form: /^[1-9]\d{0,5}$/, example: '6' },
  is_bundle: { values: yesOrNo },
  energy_efficiency_class: { values: energyClasses },
  min_energy_efficiency_class: { values: energyClasses },
  max_energy_efficiency_class: { values: energyClasses },
  certification: { form: /^(?:EC|European_Commission):EPREL:\d{1,12}$/, example: 'EC:EPREL:123456' },
  shipping_label: { maxLength: 100 },
  return_policy_label: { maxLength: 100 },
  custom_label_0: { maxLength: 100 },
  custom_label_1: { maxLength: 100 },
  custom_label_2: { maxLength: 100 },
  custom_label_3: { maxLength: 100 },
  custom_label_4: { maxLength: 100 },
} as const satisfies Record<string, ColumnRule>;

export type AttributeColumn = keyof typeof attributeColumns;

export const attributeColumnNames = Object.keys(attributeColumns) as AttributeColumn[];

export const columnRuleOf = (column: AttributeColumn): ColumnRule => attributeColumns[column];
