/** The ids of the examples, so that related examples show the same ids. */
export const exampleIds = {
  store: '0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70',
  product: '0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52',
  category: '0193d3eb-77a0-7c13-a5f6-0b8d2e4c6a91',
  media: '0193d3ec-02d8-7d24-b607-1c9e3f5d7b80',
  page: '0193d3ed-9e10-7e35-8718-2daf406e8c9f',
  customer: '0193d3ee-3548-7f46-9829-3eb0517f9dae',
  address: '0193d3ef-c080-7057-a93a-4fc162809ebd',
  order: '0193d3f0-4bb8-7168-ba4b-50d273910fcc',
  orderItem: '0193d3f1-d6f0-7279-8b5c-61e38402a1db',
  webhook: '0193d3f2-6228-738a-9c6d-72f49513b2ea',
  apiKey: '0193d3f3-ed60-749b-ad7e-83051624c3f9',
  auditLog: '0193d3f4-7898-75ac-be8f-94162735d408',
  event: '0193d3f5-03d0-76bd-8f90-a5273846e517',
  payment: '0193d3f6-8e38-77ce-9a01-b6384957f628',
  discount: '0193d3f7-19a0-78df-8b12-c7495a680739',
  checkout: '0193d3f8-a508-79e0-9c23-d85a6b79184a',
} as const;
