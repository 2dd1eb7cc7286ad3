print("wharf")
