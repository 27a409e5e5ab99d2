export { getBestSellers } from './best-sellers.ts';
export { getSalesByCountry } from './countries.ts';
export type {
  BestSeller,
  BestSellerQueryInput,
  CountrySales,
  CountrySalesQueryInput,
  Sales,
  SalesQueryInput,
  SalesStatistics,
  SalesSums,
  TaxStatistics,
  TaxStatisticsQueryInput,
} from './fields.ts';
export { type Interval, intervals } from './intervals.ts';
export { getSales } from './sales.ts';
export { getTaxes } from './taxes.ts';
