/** Towns of the fourth generator by country: name, latitude, longitude, inhabitants in millions (rounded public figures). */
export const GAZETTEER = `
  US: New York 40.71 -74.01 18.8; Los Angeles 34.05 -118.24 12.5; Chicago 41.88 -87.63 8.9;
    Houston 29.76 -95.37 6.6; Dallas 32.78 -96.8 6.5; Miami 25.76 -80.19 6.1; Atlanta 33.75 -84.39 6;
    Washington 38.91 -77.04 5.5; Boston 42.36 -71.06 4.4; Phoenix 33.45 -112.07 4.7;
    Seattle 47.61 -122.33 3.5; San Francisco 37.77 -122.42 3.3; San Diego 32.72 -117.16 3.3;
    Denver 39.74 -104.99 2.9; Minneapolis 44.98 -93.27 3; Detroit 42.33 -83.05 3.5;
    El Paso 31.76 -106.49 0.9; Las Vegas 36.17 -115.14 2.8; Kansas City 39.1 -94.58 1.7;
    New Orleans 29.95 -90.07 1; Buffalo 42.89 -78.88 0.9
  CA: Toronto 43.65 -79.38 6.3; Montreal 45.5 -73.57 4.2; Vancouver 49.28 -123.12 2.6;
    Calgary 51.05 -114.07 1.6; Windsor 42.3 -83.02 0.4; Halifax 44.65 -63.58 0.5
  MX: Mexico City 19.43 -99.13 21.8; Guadalajara 20.67 -103.35 5.3; Monterrey 25.67 -100.31 5;
    Tijuana 32.51 -117.04 2.2; Ciudad Juarez 31.69 -106.42 1.5; Merida 20.97 -89.62 1.2
  BR: Sao Paulo -23.55 -46.63 22.2; Rio de Janeiro -22.91 -43.17 13.5; Belo Horizonte -19.92 -43.94 6.1;
    Brasilia -15.79 -47.88 4.7; Recife -8.05 -34.88 4.1; Porto Alegre -30.03 -51.22 4.1;
    Fortaleza -3.73 -38.53 4.1; Salvador -12.97 -38.5 3.9; Manaus -3.12 -60.02 2.2;
    Foz do Iguacu -25.55 -54.58 0.3
  AR: Buenos Aires -34.6 -58.38 15.2; Cordoba -31.42 -64.18 1.6; Rosario -32.95 -60.65 1.5;
    Mendoza -32.89 -68.84 1.2
  CL: Santiago -33.45 -70.67 6.8; Concepcion -36.83 -73.05 0.9; Antofagasta -23.65 -70.4 0.4
  CO: Bogota 4.71 -74.07 11; Medellin 6.24 -75.58 4; Cali 3.45 -76.53 2.8; Barranquilla 10.97 -74.8 2.3
  PE: Lima -12.05 -77.04 10.9; Arequipa -16.41 -71.54 1.1
  PY: Ciudad del Este -25.51 -54.61 0.5; Asuncion -25.26 -57.58 3.4
  GB: London 51.51 -0.13 14; Manchester 53.48 -2.24 3.3; Birmingham 52.49 -1.89 3.1;
    Glasgow 55.86 -4.25 1.8; Leeds 53.8 -1.55 1.9; Bristol 51.45 -2.59 1; Belfast 54.6 -5.93 0.7
  IE: Dublin 53.35 -6.26 1.9; Cork 51.9 -8.47 0.4
  FR: Paris 48.86 2.35 11.1; Lyon 45.76 4.84 2.3; Marseille 43.3 5.37 1.8; Lille 50.63 3.07 1.5;
    Toulouse 43.6 1.44 1.4; Bordeaux 44.84 -0.58 1.3; Nice 43.7 7.27 1; Strasbourg 48.57 7.75 0.8;
    Nantes 47.22 -1.55 1; Rennes 48.11 -1.68 0.7
  DE: Berlin 52.52 13.41 4.7; Hamburg 53.55 9.99 3.2; Munich 48.14 11.58 2.9; Cologne 50.94 6.96 3.5;
    Frankfurt 50.11 8.68 2.7; Stuttgart 48.78 9.18 2.7; Leipzig 51.34 12.37 1.1; Dresden 51.05 13.74 0.8;
    Freiburg 48 7.84 0.4; Aachen 50.78 6.08 0.4; Hanover 52.37 9.73 1.1; Nuremberg 49.45 11.08 1.2
  NL: Amsterdam 52.37 4.9 2.5; Rotterdam 51.92 4.48 1.9; Eindhoven 51.44 5.48 0.8;
    Maastricht 50.85 5.69 0.3
  BE: Brussels 50.85 4.35 2.1; Antwerp 51.22 4.4 1.1; Liege 50.63 5.57 0.6
  CH: Zurich 47.38 8.54 1.4; Geneva 46.2 6.14 0.6; Basel 47.56 7.59 0.5
  AT: Vienna 48.21 16.37 2; Salzburg 47.81 13.04 0.3; Graz 47.07 15.44 0.4
  ES: Madrid 40.42 -3.7 6.7; Barcelona 41.39 2.17 5.6; Valencia 39.47 -0.38 1.6;
    Seville 37.39 -5.98 1.3; Bilbao 43.26 -2.93 1; Palma 39.57 2.65 0.6; Las Palmas 28.12 -15.43 0.6
  PT: Lisbon 38.72 -9.14 2.9; Porto 41.16 -8.63 1.7
  IT: Milan 45.46 9.19 4.3; Rome 41.9 12.5 4.3; Naples 40.85 14.27 3.1; Turin 45.07 7.69 1.7;
    Palermo 38.12 13.36 0.9; Venice 45.44 12.32 0.6; Bari 41.12 16.87 0.8
  DK: Copenhagen 55.68 12.57 1.9; Aarhus 56.16 10.2 0.5
  SE: Malmo 55.61 13 0.7; Stockholm 59.33 18.07 2.4; Gothenburg 57.71 11.97 1.1
  NO: Oslo 59.91 10.75 1.5; Bergen 60.39 5.32 0.4
  FI: Helsinki 60.17 24.94 1.5; Tampere 61.5 23.79 0.4
  PL: Warsaw 52.23 21.01 3.1; Krakow 50.06 19.94 1.4; Wroclaw 51.11 17.04 1.2; Gdansk 54.35 18.65 1.1;
    Poznan 52.41 16.93 1
  CZ: Prague 50.08 14.44 2.2; Brno 49.2 16.61 0.7
  SK: Bratislava 48.15 17.11 0.7
  HU: Budapest 47.5 19.04 2.5; Debrecen 47.53 21.63 0.3
  RO: Bucharest 44.43 26.1 2.3; Cluj 46.77 23.59 0.5; Timisoara 45.75 21.23 0.4
  BG: Sofia 42.7 23.32 1.5; Plovdiv 42.14 24.75 0.5
  GR: Athens 37.98 23.73 3.5; Thessaloniki 40.64 22.94 1.1
  RS: Belgrade 44.79 20.45 1.7
  UA: Kyiv 50.45 30.52 3; Lviv 49.84 24.03 0.9; Odesa 46.48 30.73 1
  TR: Istanbul 41.01 28.98 15.6; Ankara 39.93 32.86 5.3; Izmir 38.42 27.14 3.1; Antalya 36.9 30.7 1.4;
    Adana 37 35.32 1.9
  AE: Dubai 25.2 55.27 3.6; Abu Dhabi 24.45 54.38 1.6
  SA: Riyadh 24.71 46.68 7.6; Jeddah 21.49 39.19 4.8; Dammam 26.42 50.09 1.5
  BH: Manama 26.23 50.59 0.7
  KW: Kuwait City 29.38 47.99 3.2
  OM: Muscat 23.59 58.38 1.6
  QA: Doha 25.29 51.53 2.4
  EG: Cairo 30.04 31.24 21.7; Alexandria 31.2 29.92 5.5; Luxor 25.69 32.64 0.6
  MA: Casablanca 33.57 -7.59 3.8; Marrakesh 31.63 -8 1.1; Tangier 35.77 -5.8 1.2
  NG: Lagos 6.52 3.38 15.4; Abuja 9.06 7.5 3.8; Kano 12 8.52 4.2; Port Harcourt 4.82 7.03 3.4
  BJ: Cotonou 6.37 2.39 0.8
  GH: Accra 5.6 -0.19 2.7; Kumasi 6.69 -1.62 3.6
  CI: Abidjan 5.36 -4.01 5.6
  KE: Nairobi -1.29 36.82 5.1; Mombasa -4.04 39.67 1.4
  ZA: Johannesburg -26.2 28.05 10.1; Cape Town -33.92 18.42 4.8; Durban -29.86 31.02 3.2
  IN: Delhi 28.61 77.21 32.1; Mumbai 19.08 72.88 21; Kolkata 22.57 88.36 15.1;
    Bengaluru 12.97 77.59 13.2; Chennai 13.08 80.27 11.5; Hyderabad 17.39 78.49 10.5;
    Ahmedabad 23.02 72.57 8.5; Pune 18.52 73.86 6.9; Jaipur 26.91 75.79 4.1; Lucknow 26.85 80.95 3.9;
    Kochi 9.93 76.27 3.3; Nagpur 21.15 79.09 3
  PK: Karachi 24.86 67.01 16.8; Lahore 31.55 74.34 13.5; Islamabad 33.68 73.05 3.5
  BD: Dhaka 23.81 90.41 22.5; Chittagong 22.36 91.78 5.3
  CN: Shanghai 31.23 121.47 28.5; Beijing 39.9 116.41 21.3; Guangzhou 23.13 113.26 14;
    Shenzhen 22.54 114.06 12.8; Chengdu 30.57 104.07 9.5; Wuhan 30.59 114.31 8.6; Xian 34.34 108.94 8.2;
    Hangzhou 30.27 120.16 8; Chongqing 29.56 106.55 16.9; Shenyang 41.8 123.43 7.5;
    Qingdao 36.07 120.38 5.9; Kunming 25.04 102.72 4.6; Yiwu 29.31 120.08 1.9
  HK: Hong Kong 22.32 114.17 7.5
  TW: Taipei 25.03 121.57 7; Kaohsiung 22.63 120.3 2.7
  JP: Tokyo 35.68 139.69 37.2; Osaka 34.69 135.5 19; Nagoya 35.18 136.91 9.5; Fukuoka 33.59 130.4 5.5;
    Sapporo 43.06 141.35 2.7; Sendai 38.27 140.87 2.3
  KR: Seoul 37.57 126.98 20; Busan 35.18 129.08 3.4; Daegu 35.87 128.6 2.4
  SG: Singapore 1.35 103.82 5.9
  MY: Johor Bahru 1.49 103.74 1.1; Kuala Lumpur 3.14 101.69 8.4; Penang 5.41 100.33 1.8
  TH: Bangkok 13.76 100.5 10.9; Chiang Mai 18.79 98.99 1.2; Phuket 7.88 98.39 0.5
  VN: Ho Chi Minh City 10.82 106.63 9.3; Hanoi 21.03 105.85 5.3; Da Nang 16.05 108.2 1.2
  ID: Jakarta -6.21 106.85 11.2; Surabaya -7.26 112.75 3; Medan 3.6 98.67 2.4; Denpasar -8.65 115.22 1;
    Makassar -5.15 119.43 1.6
  PH: Manila 14.6 120.98 14.7; Cebu 10.32 123.89 1; Davao 7.07 125.61 1.9
  AU: Sydney -33.87 151.21 5.1; Melbourne -37.81 144.96 5.2; Brisbane -27.47 153.03 2.5;
    Perth -31.95 115.86 2.1; Adelaide -34.93 138.6 1.4
  NZ: Auckland -36.85 174.76 1.7; Christchurch -43.53 172.64 0.4
  IL: Tel Aviv 32.09 34.78 4.4
  KZ: Almaty 43.24 76.89 2.2; Astana 51.17 71.45 1.4
  RU: Moscow 55.76 37.62 12.6; St Petersburg 59.93 30.34 5.5; Yekaterinburg 56.84 60.65 1.5;
    Novosibirsk 55.03 82.92 1.7; Krasnodar 45.04 38.98 1.2
`;
